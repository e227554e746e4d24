/** Defers what a lost focus changes on the page until the press that took the focus is over. */

let isPressed = false;
const ends = ['mouseup', 'dragend', 'keydown'] as const;

// On the window and while the event is captured: before the field that is left hears of it. A tap is these events too. At the build there is
// no window.
globalThis.addEventListener?.('mousedown', () => (isPressed = true), true);
for (const end of ends) globalThis.addEventListener?.(end, () => (isPressed = false), true);

/**
 * Runs `act` now, or after the click where a press moves the focus: an error text that comes or goes between press and release moves
 * the pressed control from under the pointer, and the browser sends no click.
 */
export function afterPress(act: () => void): void {
  if (!isPressed) {
    act();
    return;
  }
  const over = () => {
    for (const end of ends) removeEventListener(end, over, true);
    // The click follows in the same task.
    setTimeout(act);
  };
  for (const end of ends) addEventListener(end, over, true);
}
