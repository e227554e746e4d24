/**
 * Unfolds the part of the page that its address leads into, e.g. `/docs/errors#four_eyes`, and scrolls there, in browsers that do not do it
 * by themselves (HTML Standard, "ancestor revealing algorithm").
 */
export function unfoldTarget(): void {
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    const part = target?.closest('details:not([open])');
    part?.setAttribute('open', '');
    if (part != null) target?.scrollIntoView();
  };
  addEventListener('hashchange', unfold);
  unfold();
}
