/**
 * Says that something is under way. The style shows it after 300 ms: what is quicker than that needs no words.
 */
export function Progress(props: { readonly words: string }) {
  return (
    <p class="progress" role="status">
      <span class="progress__mark" aria-hidden="true" />
      {props.words}
    </p>
  );
}

/** A line at the top of the window while a page's code is on its way. */
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
