/** The status page as it is prerendered; `entry/status.tsx` fills in the list. */
export function Status() {
  return (
    <div class="page page--text">
      <h1>Status</h1>
      <p class="page__lead">Current status of each part of the service.</p>
      <div id="status">
        <noscript>
          <p>
            This list needs JavaScript. Without JavaScript, you can read{' '}
            <a href="/api/status">the status as JSON</a>, or check from a terminal as described in{' '}
            <a href="/docs/hosts#service-status">Hosts and environments</a>.
          </p>
        </noscript>
      </div>
    </div>
  );
}
