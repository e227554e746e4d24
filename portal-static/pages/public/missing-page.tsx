export function MissingPage() {
  return (
    <div class="page page--text">
      <h1>There is no page here</h1>
      <p class="page__lead">The address may be mistyped, or the page has moved.</p>
      <p>
        Go to the <a href="/">start page</a> or the <a href="/docs">documentation</a>.
      </p>
    </div>
  );
}
