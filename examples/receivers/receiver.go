// Receives webhooks of Trefoil with Go 1.19 or later alone: TREFOIL_WEBHOOK_SECRET=whsec_… go run receiver.go
// It verifies each message, stores it once, and answers. Your program works on what is stored, after the answer.
package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	// A message has a few hundred bytes. Anyone can post to this program, so it reads no more than this.
	bodyMax   = 65536
	tolerance = 5 * time.Minute
	folder    = "received"
)

var (
	// The id becomes the name of a file.
	idPattern        = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)
	timestampPattern = regexp.MustCompile(`^[0-9]{1,11}$`)
)

func readKey(secret string) ([]byte, error) {
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if !strings.HasPrefix(secret, "whsec_") || err != nil || len(key) == 0 {
		return nil, errors.New("TREFOIL_WEBHOOK_SECRET must be the secret of the endpoint: whsec_…")
	}
	return key, nil
}

// findFault says why the message is refused. It is empty if Trefoil signed the message, and signed it just now.
func findFault(header http.Header, body, key []byte) string {
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	if !idPattern.MatchString(id) {
		return "webhook-id is missing or malformed"
	}
	if !timestampPattern.MatchString(timestamp) {
		return "webhook-timestamp is missing or malformed"
	}
	seconds, err := strconv.ParseInt(timestamp, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > tolerance {
		return "webhook-timestamp is more than five minutes away"
	}
	hash := hmac.New(sha256.New, key)
	fmt.Fprintf(hash, "%s.%s.", id, timestamp)
	hash.Write(body)
	expected := "v1," + base64.StdEncoding.EncodeToString(hash.Sum(nil))
	// For a day after a rotation there are two signatures, one with each secret.
	for _, signature := range strings.Split(header.Get("webhook-signature"), " ") {
		if hmac.Equal([]byte(signature), []byte(expected)) {
			return ""
		}
	}
	return "webhook-signature does not fit: another secret, or a changed body"
}

// storeOnce is false if the event is there already: deliveries repeat. In your program: a table whose primary key is the id.
func storeOnce(id string, body []byte) (bool, error) {
	part, err := os.CreateTemp(folder, "*.part")
	if err != nil {
		return false, err
	}
	defer os.Remove(part.Name())
	defer part.Close()
	if _, err := part.Write(body); err != nil {
		return false, err
	}
	if err := part.Sync(); err != nil {
		return false, err
	}
	// Unlike a write, a link is made whole or not at all, and only once.
	err = os.Link(part.Name(), filepath.Join(folder, id+".json"))
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	return err == nil, err
}

func receive(request *http.Request, body io.Reader, key []byte) int {
	if request.Method != http.MethodPost {
		return http.StatusMethodNotAllowed
	}
	// The bytes as they arrived: the signature is over these.
	message, err := io.ReadAll(body)
	if err != nil {
		return http.StatusRequestEntityTooLarge
	}
	if fault := findFault(request.Header, message, key); fault != "" {
		log.Print("refused: ", fault)
		return http.StatusBadRequest
	}
	id := request.Header.Get("webhook-id")
	isNew, err := storeOnce(id, message)
	if err != nil {
		// Not stored, so not a 2xx: Trefoil sends it again.
		log.Print("failed: ", err)
		return http.StatusInternalServerError
	}
	if isNew {
		log.Print("stored: ", id)
	} else {
		log.Print("seen before: ", id)
	}
	return http.StatusNoContent
}

// printStatuses: messages may overtake each other, so of a report's events the one with the highest sequence is the last, in whatever order they came.
func printStatuses() error {
	type event struct {
		Sequence int64
		Data     struct{ CreditReportID, Status string }
	}
	last := map[string]event{}
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		message, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var read event
		if err := json.Unmarshal(message, &read); err != nil {
			return err
		}
		known, isKnown := last[read.Data.CreditReportID]
		if read.Data.Status != "" && (!isKnown || read.Sequence > known.Sequence) {
			last[read.Data.CreditReportID] = read
		}
	}
	for id, event := range last {
		fmt.Println(id, event.Data.Status)
	}
	return nil
}

func main() {
	if len(os.Args) == 2 && os.Args[1] == "statuses" {
		if err := printStatuses(); err != nil {
			log.Fatal(err)
		}
		return
	}
	key, err := readKey(os.Getenv("TREFOIL_WEBHOOK_SECRET"))
	if err != nil {
		log.Fatal(err)
	}
	if err := os.MkdirAll(folder, 0o700); err != nil {
		log.Fatal(err)
	}
	port := os.Getenv("PORT")
	if port == "" {
		port = "3000"
	}
	server := http.Server{
		Addr: "127.0.0.1:" + port,
		Handler: http.HandlerFunc(func(response http.ResponseWriter, request *http.Request) {
			response.WriteHeader(receive(request, http.MaxBytesReader(response, request.Body, bodyMax), key))
		}),
		// A sender that is slower than this is not Trefoil.
		ReadTimeout:    10 * time.Second,
		MaxHeaderBytes: 16 << 10,
	}
	log.Print("listening on http://", server.Addr)
	log.Fatal(server.ListenAndServe())
}
