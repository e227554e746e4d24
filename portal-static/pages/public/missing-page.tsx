/** Public page for a URL that does not exist (404). */

export function MissingPage() {
  return (
    <div class="page page--text">
      <h1>Page not found</h1>
      <p class="page__lead">Check the address. The page may have moved.</p>
      <p>
        Go to the <a href="/">home page</a> or the <a href="/docs">documentation</a>.
      </p>
    </div>
  );
}
