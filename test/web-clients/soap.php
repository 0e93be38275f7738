<?php
// PHP's SoapClient: reads {wsdl, ca, operation, arguments} on stdin, calls with the arguments by position, and
// writes what it got as JSON.
$call = json_decode(stream_get_contents(STDIN));
$client = new SoapClient($call->wsdl, [
    'cache_wsdl' => WSDL_CACHE_NONE,
    'stream_context' => stream_context_create(['ssl' => ['cafile' => $call->ca]]),
]);
try {
    $answer = $client->{$call->operation}(...$call->arguments);
    // base64Binary comes as bytes, which JSON has no place for.
    $plain = fn ($value) => is_string($value) && !preg_match('//u', $value) ? base64_encode($value) : $value;
    $answer = is_scalar($answer) ? $answer : array_map($plain, (array) $answer);
    echo json_encode($answer);
} catch (SoapFault $fault) {
    echo json_encode(['fault' => $fault->faultcode, 'text' => $fault->faultstring]);
}
