"""Scan the MQ estate each night with Airflow 2.4 or newer; tasks fail if the gate does.

The worker needs `pip install 'mqlint[estate]'`. `do_xcom_push` is off because output may be long.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from airflow import DAG
from airflow.operators.bash import BashOperator

ESTATE = "/srv/mq/estate.yaml"
TABLES = "/srv/mq/tables"

with DAG(
    dag_id="mqlint_estate",
    schedule="15 2 * * *",
    start_date=datetime(2026, 1, 1),
    catchup=False,
    max_active_runs=1,
    default_args={"retries": 1, "retry_delay": timedelta(minutes=10)},
) as dag:
    scan = BashOperator(
        task_id="scan",
        # Findings do not fail this task, so that evidence is made of each scan.
        bash_command=f"mqlint estate scan {ESTATE} --out {TABLES} --exit-zero",
        execution_timeout=timedelta(hours=4),
        do_xcom_push=False,
    )
    evidence = BashOperator(
        task_id="evidence",
        bash_command=f"mqlint estate evidence {TABLES} --out {TABLES}/evidence.json",
        do_xcom_push=False,
    )
    gate = BashOperator(
        task_id="gate",
        bash_command=(
            f"test \"$(mqlint estate query --out {TABLES} --format csv "
            "\"SELECT count(*) FROM findings WHERE severity = 'error' AND NOT known\""
            " | tail -n 1 | tr -d '\\r')\" = 0"
        ),
        do_xcom_push=False,
    )
    scan >> evidence >> gate
