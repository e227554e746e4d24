/** Makes the buttons of the live sandbox work. What sends a call and shows the answer is loaded with the first press. */

import type { ExampleName } from './demonstration-calls.ts';

/** Shows the buttons where the page has a live sandbox. */
export function startDemonstration(): void {
  const section = document.getElementById('live-sandbox');
  const choices = section?.querySelector<HTMLElement>('.live__choices');
  if (!section || !choices) return;
  choices.hidden = false;
  const buttons = [...choices.querySelectorAll<HTMLButtonElement>('button')];
  const problem = section.querySelector<HTMLElement>('.live__problem');
  for (const button of buttons) {
    button.addEventListener('click', async () => {
      for (const other of buttons) other.setAttribute('aria-pressed', String(other === button));
      try {
        const { showExample } = await import('./demonstration.tsx');
        if (problem) problem.textContent = '';
        // Another button may have been pressed meanwhile.
        if (button.ariaPressed === 'true') showExample(section, button.dataset.example as ExampleName);
      } catch {
        if (problem) problem.textContent = notLoaded;
      }
    });
  }
}

const notLoaded =
  'The page could not load the part that sends the call. Check your connection and press the button again.';
