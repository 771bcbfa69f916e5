# Payments: queues that Puppet keeps
mq_queue { 'PRDPAY2/QLOCAL/PAY.RECEIPTS':
  ensure   => present,
  descr    => 'Receipts',
  maxdepht => 50000,
}
