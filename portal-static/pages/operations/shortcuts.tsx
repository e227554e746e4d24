/** Keyboard shortcuts of the operators' console: single keys, which can be switched off (WCAG 2.1.4). */

import { useEffect, useId, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Shortcut {
  /** `KeyboardEvent.key` */
  readonly key: string;
  /** A verb and its object: "Approve". */
  readonly words: string;
  readonly act: () => void;
}

const storageKey = 'operations-shortcuts';

function areSwitchedOff(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'off';
  } catch {
    return false;
  }
}

function switchOff(off: boolean): void {
  try {
    if (off) localStorage.setItem(storageKey, 'off');
    else localStorage.removeItem(storageKey);
  } catch {
    // Keeps the choice until the page is reloaded if the browser has no storage.
  }
}

/** Whether a key typed there is text, or chooses an option of a list. */
function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.matches('textarea, select, input:not([type="radio"], [type="checkbox"]), dialog *'))
  );
}

/** Answers the page's shortcuts, and lists them: by `?` and by a button. */
export function Shortcuts({ shortcuts }: { readonly shortcuts: readonly Shortcut[] }) {
  const [off, setOff] = useState(areSwitchedOff);
  const [listed, setListed] = useState(false);
  const all: readonly Shortcut[] = [
    ...shortcuts,
    { key: '?', words: 'List the shortcuts', act: () => setListed(true) },
  ];
  const present = useRef(all);
  present.current = all;
  // Listens from the page's first render, so that no key is lost.
  useLayoutEffect(() => {
    if (off) return;
    const pressed = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey)
        return;
      if (isTyping(event.target)) return;
      const found = present.current.find(({ key }) => key === event.key);
      if (found === undefined) return;
      event.preventDefault();
      found.act();
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, [off]);
  return (
    <>
      <button type="button" class="usa-button usa-button--unstyled" onClick={() => setListed(true)}>
        <span class="usa-sr-only">Keyboard </span>Shortcuts
      </button>
      {listed && (
        <List
          shortcuts={all}
          off={off}
          onSwitch={(next) => {
            switchOff(next);
            setOff(next);
          }}
          onClose={() => setListed(false)}
        />
      )}
    </>
  );
}

function List(props: {
  readonly shortcuts: readonly Shortcut[];
  readonly off: boolean;
  readonly onSwitch: (off: boolean) => void;
  readonly onClose: () => void;
}) {
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby={id} onClose={() => props.onClose()}>
      <h2 id={id}>Keyboard shortcuts</h2>
      <dl class="shortcuts">
        {props.shortcuts.map(({ key, words }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">They do nothing while you type in a field.</p>
      <div class="usa-checkbox">
        <input
          class="usa-checkbox__input"
          type="checkbox"
          id={`${id}-on`}
          checked={!props.off}
          onChange={(event) => props.onSwitch(!event.currentTarget.checked)}
        />
        <label class="usa-checkbox__label" for={`${id}-on`}>
          Use these shortcuts
        </label>
      </div>
      <div class="form__actions">
        <button type="button" class="usa-button" onClick={() => dialog.current?.close()}>
          Close
        </button>
      </div>
    </dialog>
  );
}
