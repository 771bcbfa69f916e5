# A queue manager for the auditors, on the archive's host
execute 'create the queue manager' do
  command 'crtmqm -lc -lp 10 -ls 10 -lf 16384 PRDAUDIT'
  user 'mqm'
end
