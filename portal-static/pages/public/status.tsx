/** The status page as prerendered; `entry/status.tsx` fills in the list. */
export function Status() {
  return (
    <div class="page page--text">
      <h1>Status</h1>
      <p class="page__lead">Whether each part of the service answers right now.</p>
      <div id="status">
        <noscript>
          <p>
            This list needs JavaScript. Without it, ask <a href="/api/status">the status as JSON</a>, or from
            a terminal as <a href="/docs/hosts#is-it-up">Hosts and environments</a> says.
          </p>
        </noscript>
      </div>
    </div>
  );
}
