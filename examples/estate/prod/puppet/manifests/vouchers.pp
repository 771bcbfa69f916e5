# Vouchers
mq_queue { 'PRDPAY2/QLOCAL/PAY.VOUCHERS':
  ensure => present,
  descr  => 'Vouchers',
  get    => 'disabled',
}
