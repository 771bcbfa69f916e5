# The auditors' queue of invoices in the cloud
resource "aws_instance" "invoices" {
  ami           = "ami-0invented"
  instance_type = "t3.small"
  user_data     = <<-EOT
    #!/bin/bash
    echo "DEFINE QLOCAL(AUDIT.INVOICES) GET(DISABLED)" | runmqsc PRDAUDIT2
  EOT
}
