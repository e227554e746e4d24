/** Indicator of a pending operation. Its style shows it after 300 ms, because a shorter operation needs none. */
export function Progress(props: { readonly words: string }) {
  return (
    <p class="progress" role="status">
      <span class="progress__mark" aria-hidden="true" />
      {props.words}
    </p>
  );
}

/** Progress bar at the top of the window while a page's code is loading. */
export function RouteProgress(props: { readonly loading: boolean }) {
  return (
    <div role="status">
      {props.loading && (
        <div class="route-progress">
          <span class="usa-sr-only">Loading the page…</span>
        </div>
      )}
    </div>
  );
}
