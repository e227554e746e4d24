/** Adds a copy button to each block of code. */
export function addCopyButtons(): void {
  for (const frame of document.querySelectorAll<HTMLElement>('.code-frame')) {
    const code = frame.querySelector('code');
    if (code !== null) frame.append(copyButton(code));
  }
}

/** Milliseconds for which the button shows the result. */
const saidMilliseconds = 3_000;

function copyButton(code: HTMLElement): HTMLElement {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'code-frame__copy',
    textContent: 'Copy',
  });
  const said = Object.assign(document.createElement('span'), { className: 'usa-sr-only', role: 'status' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (words: string, spoken: string) => {
    button.textContent = words;
    said.textContent = spoken;
    clearTimeout(timer);
    timer = setTimeout(() => {
      button.textContent = 'Copy';
      said.textContent = '';
    }, saidMilliseconds);
  };
  button.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(code.textContent ?? '');
      say('Copied', 'The code was copied.');
    } catch {
      // The clipboard is not available (no TLS, or the person refused): selects the code instead.
      getSelection()?.selectAllChildren(code);
      say('Selected', 'The code is selected. Copy it with the keyboard.');
    }
  });
  const whole = document.createElement('div');
  whole.append(button, said);
  return whole;
}
