# The auditors' queue manager in the cloud
resource "aws_instance" "audit" {
  ami           = "ami-0invented"
  instance_type = "t3.small"
  user_data     = <<-EOT
    #!/bin/bash
    crtmqm -lc -lp 10 -ls 10 -lf 16384 PRDAUDIT2
    strmqm PRDAUDIT2
  EOT
}
