/** Saves the draft of a form when its page is left or its tab is closed. */

/** Values that are not saved yet. */
interface Unsent {
  readonly url: string;
  readonly body: unknown;
  /** Called when they are saved. */
  readonly saved: () => void;
}

/** Reads the values that are not saved yet; undefined if all are saved. */
type Pending = () => Unsent | undefined;

/**
 * Saves a form's draft when its tab is hidden or closed, or the page is left. The request continues after the page is gone (`keepalive`).
 *
 * @returns a function for leaving within the application: saves the draft a last time and removes the listeners.
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
    }).then(
      ({ ok }) => ok && what.saved(),
      // Offline, or longer than the 64 KB that may be sent from a page that is gone: this tab keeps what was typed.
      () => {},
    );
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
