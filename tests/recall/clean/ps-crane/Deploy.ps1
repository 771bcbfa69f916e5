param([switch] $Fresh)
if ($Fresh) {
    crtmqm -ll -u CRANE.DLQ CRANEQM
    strmqm CRANEQM
}
Get-Content "$PSScriptRoot\crane.mqsc" | runmqsc CRANEQM
if ($LASTEXITCODE -ne 0) { throw 'the objects of CRANEQM were not made' }
setmqaut -m CRANEQM -t queue -n CRANE.LIFT -g crane +put +inq
