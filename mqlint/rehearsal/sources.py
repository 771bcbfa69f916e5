"""Where the facts of the calendar come from: IBM's notes, pages and APARs."""

from __future__ import annotations

from mqlint.dataclass import frozen

IBM = "https://www.ibm.com/docs/en/"


@frozen
class Reference:
    """A page, by the key that events of the calendar name it by."""

    key: str
    title: str
    address: str


_LISTED = (
    Reference(
        "DR",
        "IBM: Avoiding MQ cluster problems after Disaster Recovery testing (2019)",
        "https://developer.ibm.com/messaging/2019/02/15/"
        "avoiding-mq-cluster-problems-after-disaster-recovery-testing/",
    ),
    Reference(
        "RETAIN",
        "IBM MQ: How long do the queue manager repositories retain information",
        f"{IBM}ibm-mq/9.4?topic=dc-how-long-do-queue-manager-repositories-retain-information",
    ),
    Reference(
        "REFRESH",
        "IBM MQ: REFRESH CLUSTER, usage in a cluster (q082360_)",
        f"{IBM}SSFKSJ_9.2.0/com.ibm.mq.ref.con.doc/q082360_.html",
    ),
    Reference(
        "CODES",
        "IBM MQ: Application issues seen when running REFRESH CLUSTER (q132640_)",
        "http://setgetweb.com/p/MQ92/tro/q132640_.htm",
    ),
    Reference(
        "RECOVER",
        "IBM MQ: Recovering a cluster queue manager",
        f"{IBM}ibm-mq/10.0.x?topic=cluster-recovering-queue-manager",
    ),
    Reference(
        "RESET",
        "IBM MQ: RESET CLUSTER (q086520_)",
        "https://ibm.com/docs/SSFKSJ_9.2.0/com.ibm.mq.ref.adm.doc/q086520_.html",
    ),
    Reference(
        "PH58212",
        "APAR PH58212, IT43646: new sequence numbers at each restart, in the 9.4.0 base",
        "https://www.ibm.com/support/pages/apar/PH58212",
    ),
    Reference(
        "PH34265",
        "APAR PH34265: CSQX469E on full repositories, CSQX456I on partial repositories",
        "https://www.ibm.com/support/pages/apar/PH34265",
    ),
    Reference(
        "IT28022",
        "APAR IT28022: AMQ9469 on full repositories",
        "https://www.ibm.com/support/pages/apar/IT28022",
    ),
    Reference(
        "IV46533",
        "APAR IV46533: a second queue manager with a channel name becomes the one in use",
        "http://www.ibm.com/support/docview.wss?rs=171&uid=swg1IV46533",
    ),
    Reference(
        "CHANNELS",
        "IBM MQ: Cluster channels (q017230_)",
        f"{IBM}SSFKSJ_9.2.0/com.ibm.mq.tec.doc/q017230_.html",
    ),
    Reference(
        "INSTANCES",
        "IBM MQ: Example of a cluster with more than one instance of a queue",
        f"{IBM}ibm-mq/9.0?topic=management-example-cluster-more-than-one-instance-queue",
    ),
    Reference(
        "CHLAUTH",
        "IBM MQ: SET CHLAUTH (q086630_)",
        "https://www.ibm.com/docs/SSFKSJ_9.4.0/refadmin/q086630_.html",
    ),
    Reference(
        "STRMQM",
        "IBM MQ: strmqm, option -ns (q083650_)",
        f"{IBM}SSFKSJ_9.2.0/com.ibm.mq.ref.adm.doc/q083650_.html",
    ),
)

SOURCES = {source.key: source for source in _LISTED}
"""The sources by key, in the order in which reports list them."""
