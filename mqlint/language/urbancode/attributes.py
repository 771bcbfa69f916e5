"""The keys of a definition, the words of MQSC that the plug-in writes for them, and their values.

Source: the resource mappings of UrbanCode/IBM-MQ-zOS-UCD. The names are those of version 1 of the
REST API for queues. A row is a key, its word of MQSC, and the words that the plug-in writes for
values with other words in MQSC. A word with `!` has no value: it is written if the key is true. A
key with `-` has a word for each of its values instead.
"""

from __future__ import annotations

from collections.abc import Mapping

from mqlint.dataclass import frozen

_QUEUE = """
optionalParms.commandScope CMDSCOPE
optionalParms.like LIKE
optionalParms.noReplace NOREPLACE!
optionalParms.replace REPLACE!
optionalParms.noForce NOFORCE!
optionalParms.force FORCE!
optionalParms.keepAuthorityRecords AUTHREC keepAuthorityRecords=NO
optionalParms.noPurge NOPURGE!
optionalParms.purge PURGE!
optionalParms.queueSharingGroupDisposition QSGDISP
alias.targetName TARGET
alias.targetType TARGTYPE
applicationDefaults.clusterBind DEFBIND onOpen=OPEN onGroup=GROUP
applicationDefaults.messagePropertyControl PROPCTL compatible=COMPAT version6Compatible=V6COMPAT
applicationDefaults.messagePersistence DEFPSIST nonPersistent=NO persistent=YES
applicationDefaults.messagePriority DEFPRTY
applicationDefaults.putResponse DEFPRESP asynchronous=ASYNC synchronous=SYNC
applicationDefaults.readAhead DEFREADA
applicationDefaults.sharedInput - false=NOSHARE true=SHARE
cluster.transmissionQueueForChannelName CLCHNAME
cluster.name CLUSTER
cluster.namelist CLUSNL
cluster.workloadPriority CLWLPRTY
cluster.workloadQueueUse CLWLUSEQ asQmgr=QMGR
cluster.workloadRank CLWLRANK
dataCollection.accounting ACCTQ asQmgr=QMGR
dataCollection.monitoring MONQ asQmgr=QMGR
dataCollection.statistics STATQ asQmgr=QMGR
events.depth.highEnabled QDPHIEV false=DISABLED true=ENABLED
events.depth.highPercentage QDEPTHHI
events.depth.lowEnabled QDPLOEV false=DISABLED true=ENABLED
events.depth.lowPercentage QDEPTHLO
events.depth.fullEnabled QDPMAXEV false=DISABLED true=ENABLED
events.serviceInterval.duration QSVCINT
events.serviceInterval.highEnabled QSVCIEV false=NONE true=HIGH
events.serviceInterval.okEnabled QSVCIEV false=NONE true=OK
extended.allowSharedInput DEFSOPT false=EXCL true=SHARED
extended.backoutRequeueQueueName BOQNAME
extended.backoutThreshold BOTHRESH
extended.custom CUSTOM
extended.hardenGetBackout - false=NOHARDENBO true=HARDENBO
extended.supportDistributionLists DISTL false=NO true=YES
general.description DESCR
general.inhibitGet GET false=ENABLED true=DISABLED
general.inhibitPut PUT false=ENABLED true=DISABLED
general.isTransmissionQueue USAGE false=NORMAL true=XMITQ
model.type DEFTYPE permanentDynamic=PERMDYN sharedDynamic=SHRDDYN temporaryDynamic=TEMPDYN
queueSharingGroup.disposition QSGDISP
queueSharingGroup.structureName CFSTRUCT
remote.queueName RNAME
remote.qmgrName RQMNAME
remote.transmissionQueueName XMITQ
storage.indexType INDXTYPE correlationId=CORRELID messageId=MSGID messageToken=MSGTOKEN
storage.maximumDepth MAXDEPTH
storage.maximumMessageLength MAXMSGL
storage.messageDeliverySequence MSGDLVSQ
storage.nonPersistentMessageClass NPMCLASS
storage.storageClass STGCLASS
trigger.enabled - false=NOTRIGGER true=TRIGGER
trigger.data TRIGDATA
trigger.depth TRIGDPTH
trigger.initiationQueueName INITQ
trigger.messagePriority TRIGMPRI
trigger.processName PROCESS
trigger.type TRIGTYPE
"""
_CHANNEL = """
optionalParms.commandScope CMDSCOPE
optionalParms.like LIKE
optionalParms.noReplace NOREPLACE!
optionalParms.replace REPLACE!
optionalParms.queueSharingGroupDisposition QSGDISP
amqp.keepAliveInterval AMQPKA
amqp.port PORT
amqp.topicRoot TPROOT
amqp.useClientID USECLTID false=NO true=YES
batch.dataLimit BATCHLIM
batch.heartbeat BATCHHB
batch.interval BATCHINT
batch.size BATCHSZ
clientConnection.affinity AFFINITY false=NONE true=PREFERRED
clientConnection.defaultReconnect DEFRECON
clientConnection.qmgrName QMNAME
clientConnection.weight CLNTWGHT
cluster.name CLUSTER
cluster.namelist CLUSNL
cluster.workloadPriority CLWLPRTY
cluster.workloadWeight CLWLWGHT
cluster.networkPriority NETPRTY
compression.header COMPHDR
compression.message COMPMSG
dataCollection.monitoring MONQ asQmgr=QMGR
dataCollection.statistics STATQ asQmgr=QMGR
exits.message MSGEXIT
exits.messageUserData MSGDATA
exits.receive RCVEXIT
exits.receiverUserData RCVDATA
exits.security SECEXIT
exits.securityUserData SECDATA
exits.send SENDEXIT
exits.sendUserData SENDDATA
extended.senderDataConversion CONVERT false=NO true=YES
extended.disconnectInterval DISCINT
extended.maximumInstances MAXINST
extended.maximumInstancesPerClient MAXINSTC
extended.nonPersisentMessageSpeed NPMSPEED
extended.messagePropertyControl PROPCTL compatible=COMPAT
extended.sequenceNumberWrap SEQWRAP
extended.useDeadLetterQueue USEDLQ false=NO true=YES
general.description DESCR
general.heartbeatInterval HBINT
general.keepAliveInterval KAINT
general.localAddress LOCALADDR
general.maximumMessageLength MAXMSGL
general.sharedConversations SHARECNV
general.transmissionQueueName XMITQ
mca.type MCATYPE
mca.userID MCAUSER
messageRetry.count MRRTY
messageRetry.interval MRTMR
messageRetry.exit MREXIT
messageRetry.userData MRDATA
networkConnection.connectionName CONNAME
queueSharingGroup.disposition QSGDISP
queueSharingGroup.defaultChannelDisposition DEFCDISP
retry.longCount LONGRTY
retry.longInterval LONGTMR
retry.shortCount SHORTRTY
retry.shortInterval SHORTTMR
security.certificateLabel CERTLABL
security.cipherSpecification SSLCIPH
security.clientAuthentication SSLCAUTH
security.peerName SSLPEER
security.putAuthority PUTAUT alternateOrMCA=ALTMCA context=CTX default=DEF
"""


@frozen
class PluginKey:
    """A key: its word of MQSC, blank if each value is a word; `words` are those of its values.

    `is_flag` is true if the word has no value.
    """

    word: str
    words: Mapping[str, str]
    is_flag: bool = False


def _keys(table: str) -> dict[str, PluginKey]:
    found: dict[str, PluginKey] = {}
    for row in table.split("\n"):
        key, word, *values = row.split() or ["", ""]
        if key:
            words = dict(value.split("=") for value in values)
            is_flag = word.endswith("!")
            found[key] = PluginKey("" if word == "-" else word.rstrip("!"), words, is_flag)
    return found


KEYS: Mapping[str, Mapping[str, PluginKey]] = {"queue": _keys(_QUEUE), "channel": _keys(_CHANNEL)}
"""The keys by the kind of resource, each as `group.key`."""

_OF_WORDS = {
    word: name
    for keys in KEYS.values()
    for name, key in keys.items()
    for word in (key.word, *(() if key.word else key.words.values()))
    if word
}


def key_of_word(word: str) -> str | None:
    """Return the key that the plug-in writes a word of MQSC for; None if there is none."""
    return _OF_WORDS.get(word)
