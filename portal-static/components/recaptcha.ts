/** Loads Google's reCAPTCHA script and gets a token, for portals configured with reCAPTCHA. */

/** Google's script. The Content-Security-Policy must allow its origin. */
const source = 'https://www.google.com/recaptcha/api.js?render=explicit';

interface Recaptcha {
  ready(run: () => void): void;
  render(
    element: HTMLElement,
    options: { readonly sitekey: string; callback(token: string): void; 'expired-callback'(): void },
  ): number;
  reset(widget: number): void;
}

let loaded: Promise<Recaptcha> | undefined;

function load(): Promise<Recaptcha> {
  loaded ??= new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = source;
    script.onload = () => {
      const { grecaptcha } = window as unknown as { readonly grecaptcha: Recaptcha };
      grecaptcha.ready(() => resolve(grecaptcha));
    };
    script.onerror = () => {
      loaded = undefined;
      reject(new Error('reCAPTCHA did not load'));
    };
    document.head.append(script);
  });
  return loaded;
}

/**
 * Shows the widget. `answered` gets each token, and `undefined` when it has expired.
 *
 * @returns a function that resets the widget.
 */
export async function showRecaptcha(
  element: HTMLElement,
  siteKey: string,
  answered: (token: string | undefined) => void,
): Promise<() => void> {
  const recaptcha = await load();
  const widget = recaptcha.render(element, {
    sitekey: siteKey,
    callback: answered,
    'expired-callback': () => answered(undefined),
  });
  return () => recaptcha.reset(widget);
}
