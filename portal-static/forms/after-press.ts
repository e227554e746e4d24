/** Defers page changes caused by a field's loss of focus until the mouse press that took the focus is over. */

let isPressed = false;
const ends = ['mouseup', 'dragend', 'keydown'] as const;

// Listens on the window in the capture phase, so that `isPressed` is set before the field gets its `blur` event. Taps cause mouse events
// too. During prerendering there is no window.
globalThis.addEventListener?.('mousedown', () => (isPressed = true), true);
for (const end of ends) globalThis.addEventListener?.(end, () => (isPressed = false), true);

/**
 * Runs `act` now, or after the click if a mouse button is pressed. An error text that appears or disappears between press and release moves
 * the pressed control away from the pointer, and then the browser sends no click.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act();
    return;
  }
  const over = () => {
    for (const end of ends) removeEventListener(end, over, true);
    // The browser sends the click in the same task, so it is handled before `act`.
    setTimeout(act);
  };
  for (const end of ends) addEventListener(end, over, true);
}
