*        System parameters of WHP1, for START QMGR PARM(WHP1PARM).
         CSQ6SYSP LOGLOAD=500000,                                      X
               CMDUSER=WHPOPER
         CSQ6LOGP OFFLOAD=NO,                                          X
               TWOACTV=YES,                                            X
               TWOARCH=YES,                                            X
               TWOBSDS=YES
         CSQ6ARVP ARCPFX1=WHARFE.WHP1.ARC1,                            X
               ARCPFX2=WHARFE.WHP1.ARC2,                               X
               ARCRETN=60,                                             X
               UNIT=SYSDA,                                             X
               CATALOG=YES
         END
