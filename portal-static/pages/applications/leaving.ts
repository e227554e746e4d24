/** Saves the draft of a form when its page is left or its tab is closed. */

/** Values that are not saved yet; undefined if all are saved. */
type Pending = () => { readonly url: string; readonly body: unknown } | undefined;

/**
 * Keeps what was typed when the tab is closed, put away or the page is left for another one. The request outlives the page.
 *
 * @returns leaves the page by itself: keeps it a last time and listens no more.
 * @see https://developer.mozilla.org/docs/Web/API/Document/visibilitychange_event
 */
export function saveOnLeaving(pending: Pending): () => void {
  const keep = () => {
    const what = pending();
    if (what === undefined) return;
    void fetch(what.url, {
      method: 'PUT',
      keepalive: true,
      credentials: 'same-origin',
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify(what.body),
    }).catch(() => {
      // The next visit finds the last draft that was saved.
    });
  };
  const whenHidden = () => {
    if (document.visibilityState === 'hidden') keep();
  };
  document.addEventListener('visibilitychange', whenHidden);
  addEventListener('pagehide', keep);
  return () => {
    document.removeEventListener('visibilitychange', whenHidden);
    removeEventListener('pagehide', keep);
    keep();
  };
}
