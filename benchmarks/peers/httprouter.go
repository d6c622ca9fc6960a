// httprouter.go - Debian's httprouter on the tables of the benchmark: nanoseconds per look-up with its parameters.
//
//	httprouter ROUTES URLS
package main

import (
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/julienschmidt/httprouter"
)

func lines(name string) []string {
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	return strings.Split(strings.TrimSpace(string(text)), "\n")
}

func main() {
	router := httprouter.New()
	for _, route := range lines(os.Args[1]) {
		router.GET(route, func(http.ResponseWriter, *http.Request, httprouter.Params) {})
	}
	urls := lines(os.Args[2])
	found, captured := 0, 0
	for _, url := range urls {
		if handle, parameters, _ := router.Lookup("GET", url); handle != nil {
			found++
			captured += len(parameters)
		}
	}
	least := 1e18
	for round := 0; round < 60; round++ {
		start, count := time.Now(), 0
		for time.Since(start) < 4*time.Millisecond {
			for _, url := range urls {
				router.Lookup("GET", url)
			}
			count += len(urls)
		}
		if ns := float64(time.Since(start).Nanoseconds()) / float64(count); ns < least {
			least = ns
		}
	}
	fmt.Printf("%.1f ns, %d of %d found, %d parameters\n", least, found, len(urls), captured)
}
