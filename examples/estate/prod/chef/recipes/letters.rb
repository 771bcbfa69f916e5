# The auditors' queue of letters
execute 'define the queue' do
  command "echo 'DEFINE QLOCAL(AUDIT.LETTERS) GET(DISABLED)' | runmqsc PRDAUDIT"
  user 'mqm'
end
