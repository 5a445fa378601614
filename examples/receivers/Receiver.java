// Receives webhooks of Trefoil with Java 17 or later alone: TREFOIL_WEBHOOK_SECRET=whsec_… java Receiver.java
// It verifies each message, stores it once, and answers. Your program works on what is stored, after the answer.
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.FileOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

import static java.nio.charset.StandardCharsets.UTF_8;

public final class Receiver {
    /** A message has a few hundred bytes. Anyone can post to this program, so it reads no more than this. */
    private static final int BODY_MAX = 65_536;
    private static final long TOLERANCE_SECONDS = 300;
    private static final Path FOLDER = Path.of("received");

    private final SecretKeySpec key;

    private Receiver(String secret) {
        if (!secret.matches("whsec_[A-Za-z0-9+/]+=*")) {
            throw new IllegalArgumentException("TREFOIL_WEBHOOK_SECRET must be the secret of the endpoint: whsec_…");
        }
        key = new SecretKeySpec(Base64.getDecoder().decode(secret.substring("whsec_".length())), "HmacSHA256");
    }

    private static String headerOf(Headers headers, String name) {
        String value = headers.getFirst(name);
        return value == null ? "" : value;
    }

    /** Why the message is refused; null if Trefoil signed it, and signed it just now. */
    private String findFault(Headers headers, byte[] body) throws GeneralSecurityException {
        String id = headerOf(headers, "webhook-id");
        String timestamp = headerOf(headers, "webhook-timestamp");
        // The id becomes the name of a file.
        if (!id.matches("[A-Za-z0-9_-]{1,64}")) {
            return "webhook-id is missing or malformed";
        }
        if (!timestamp.matches("[0-9]{1,11}")) {
            return "webhook-timestamp is missing or malformed";
        }
        if (Math.abs(Instant.now().getEpochSecond() - Long.parseLong(timestamp)) > TOLERANCE_SECONDS) {
            return "webhook-timestamp is more than five minutes away";
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(key);
        mac.update((id + "." + timestamp + ".").getBytes(UTF_8));
        byte[] expected = ("v1," + Base64.getEncoder().encodeToString(mac.doFinal(body))).getBytes(UTF_8);
        // For a day after a rotation there are two signatures, one with each secret.
        for (String signature : headerOf(headers, "webhook-signature").split(" ")) {
            if (MessageDigest.isEqual(signature.getBytes(UTF_8), expected)) {
                return null;
            }
        }
        return "webhook-signature does not fit: another secret, or a changed body";
    }

    /** False if the event is there already: deliveries repeat. In your program: a table whose primary key is the id. */
    private static boolean storeOnce(String id, byte[] body) throws IOException {
        Path part = Files.createTempFile(FOLDER, "", ".part");
        try {
            try (FileOutputStream out = new FileOutputStream(part.toFile())) {
                out.write(body);
                out.getFD().sync();
            }
            // Unlike a write, a link is made whole or not at all, and only once.
            Files.createLink(FOLDER.resolve(id + ".json"), part);
            return true;
        } catch (FileAlreadyExistsException seen) {
            return false;
        } finally {
            Files.delete(part);
        }
    }

    private int receive(HttpExchange exchange) throws IOException, GeneralSecurityException {
        if (!exchange.getRequestMethod().equals("POST")) {
            return 405;
        }
        // The bytes as they arrived: the signature is over these.
        byte[] body = exchange.getRequestBody().readNBytes(BODY_MAX + 1);
        if (body.length > BODY_MAX) {
            return 413;
        }
        String fault = findFault(exchange.getRequestHeaders(), body);
        if (fault != null) {
            System.out.println("refused: " + fault);
            return 400;
        }
        String id = headerOf(exchange.getRequestHeaders(), "webhook-id");
        System.out.println((storeOnce(id, body) ? "stored: " : "seen before: ") + id);
        return 204;
    }

    private void answer(HttpExchange exchange) throws IOException {
        int status;
        try {
            status = receive(exchange);
        } catch (IOException | GeneralSecurityException error) {
            // Not stored, so not a 2xx: Trefoil sends it again.
            System.out.println("failed: " + error);
            status = 500;
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private record Last(long sequence, String status) {}

    /** Java has no JSON of its own, and no text of an event is anybody else's. In your program use the library that you have. */
    private static String fieldOf(String body, String name) {
        Matcher field = Pattern.compile('"' + name + "\":\"?([^\",}]*)").matcher(body);
        return field.find() ? field.group(1) : "";
    }

    /** Messages may overtake each other: of a report's events the one with the highest sequence is the last, in whatever order they came. */
    private static void printStatuses() throws IOException {
        Map<String, Last> last = new HashMap<>();
        List<Path> paths;
        try (Stream<Path> stored = Files.list(FOLDER)) {
            paths = stored.filter(path -> path.toString().endsWith(".json")).toList();
        }
        for (Path path : paths) {
            String body = Files.readString(path);
            String status = fieldOf(body, "status");
            if (!status.isEmpty()) {
                Last found = new Last(Long.parseLong(fieldOf(body, "sequence")), status);
                last.merge(fieldOf(body, "creditReportId"), found, (one, other) -> other.sequence() > one.sequence() ? other : one);
            }
        }
        last.forEach((creditReportId, event) -> System.out.println(creditReportId + " " + event.status()));
    }

    public static void main(String[] arguments) throws IOException {
        if (List.of(arguments).equals(List.of("statuses"))) {
            printStatuses();
            return;
        }
        // In seconds: a sender that is slower than this is not Trefoil.
        System.setProperty("sun.net.httpserver.maxReqTime", "10");
        Receiver receiver = new Receiver(System.getenv().getOrDefault("TREFOIL_WEBHOOK_SECRET", ""));
        Files.createDirectories(FOLDER);
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", receiver::answer);
        server.start();
        System.out.println("listening on http://127.0.0.1:" + port);
    }
}
