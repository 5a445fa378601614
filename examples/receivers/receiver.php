<?php
// Receives webhooks of Trefoil with PHP 8.1 or later alone: TREFOIL_WEBHOOK_SECRET=whsec_… php -S 127.0.0.1:3000 receiver.php
// It verifies each message, stores it once, and answers. Your program works on what is stored, after the answer.
declare(strict_types=1);

// A message has a few hundred bytes. Anyone can post to this program, so it reads no more than this.
const BODY_MAX = 65536;
const TOLERANCE_SECONDS = 300;
const FOLDER = 'received';

function readKey(string $secret): string
{
    $key = str_starts_with($secret, 'whsec_') ? base64_decode(substr($secret, 6), true) : false;
    if ($key === false || $key === '') {
        throw new RuntimeException('TREFOIL_WEBHOOK_SECRET must be the secret of the endpoint: whsec_…');
    }
    return $key;
}

/** Why the message is refused; null if Trefoil signed it, and signed it just now. */
function findFault(string $id, string $body, string $key): ?string
{
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    // The id becomes the name of a file.
    if (preg_match('/^[A-Za-z0-9_-]{1,64}$/D', $id) !== 1) {
        return 'webhook-id is missing or malformed';
    }
    if (preg_match('/^[0-9]{1,11}$/D', $timestamp) !== 1) {
        return 'webhook-timestamp is missing or malformed';
    }
    if (abs(time() - (int) $timestamp) > TOLERANCE_SECONDS) {
        return 'webhook-timestamp is more than five minutes away';
    }
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$timestamp.$body", $key, true));
    // For a day after a rotation there are two signatures, one with each secret.
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $signature) {
        if (hash_equals($expected, $signature)) {
            return null;
        }
    }
    return 'webhook-signature does not fit: another secret, or a changed body';
}

/** False if the event is there already: deliveries repeat. In your program: a table whose primary key is the id. */
function storeOnce(string $id, string $body): bool
{
    $path = FOLDER . "/$id.json";
    $part = tempnam(FOLDER, 'part');
    $file = fopen($part, 'wb');
    try {
        if (fwrite($file, $body) !== strlen($body) || !fsync($file) || !fclose($file)) {
            throw new RuntimeException('the event could not be written');
        }
        // Unlike a write, a link is made whole or not at all, and only once.
        if (@link($part, $path)) {
            return true;
        }
        if (!file_exists($path)) {
            throw new RuntimeException('the event could not be stored');
        }
        return false;
    } finally {
        unlink($part);
    }
}

function receive(): int
{
    $key = readKey((string) getenv('TREFOIL_WEBHOOK_SECRET'));
    if ($_SERVER['REQUEST_METHOD'] !== 'POST') {
        return 405;
    }
    // Your web server should refuse such a body before PHP starts: client_max_body_size 64k in nginx.
    if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > BODY_MAX) {
        return 413;
    }
    // The bytes as they arrived: the signature is over these.
    $body = stream_get_contents(fopen('php://input', 'rb'), BODY_MAX + 1);
    if ($body === false || strlen($body) > BODY_MAX) {
        return 413;
    }
    $id = $_SERVER['HTTP_WEBHOOK_ID'] ?? '';
    $fault = findFault($id, $body, $key);
    if ($fault !== null) {
        error_log("refused: $fault");
        return 400;
    }
    is_dir(FOLDER) || mkdir(FOLDER, 0700, true);
    error_log((storeOnce($id, $body) ? 'stored: ' : 'seen before: ') . $id);
    return 204;
}

/** Messages may overtake each other: of a report's events the one with the highest sequence is the last, in whatever order they came. */
function printStatuses(): void
{
    $last = [];
    foreach (glob(FOLDER . '/*.json') as $path) {
        ['data' => $data, 'sequence' => $sequence] = json_decode(file_get_contents($path), true) + ['sequence' => 0];
        $id = $data['creditReportId'] ?? '';
        if (isset($data['status']) && $sequence > ($last[$id]['sequence'] ?? -1)) {
            $last[$id] = ['sequence' => $sequence, 'status' => $data['status']];
        }
    }
    foreach ($last as $id => ['status' => $status]) {
        echo "$id $status\n";
    }
}

if (PHP_SAPI === 'cli' && ($argv[1] ?? '') === 'statuses') {
    printStatuses();
    exit;
}
// If anything below throws, this is the answer: not stored, so not a 2xx, and Trefoil sends it again.
http_response_code(500);
http_response_code(receive());
