<?php
// PHP's SoapClient: reads {wsdl, ca, operation, arguments} on stdin, calls with the arguments by position, and
// writes what it got as JSON.
$call = json_decode(stream_get_contents(STDIN));
$client = new SoapClient($call->wsdl, [
    'cache_wsdl' => WSDL_CACHE_NONE,
    'stream_context' => stream_context_create(['ssl' => ['cafile' => $call->ca]]),
]);
try {
    echo json_encode($client->{$call->operation}(...$call->arguments));
} catch (SoapFault $fault) {
    echo json_encode(['fault' => $fault->faultcode, 'text' => $fault->faultstring]);
}
