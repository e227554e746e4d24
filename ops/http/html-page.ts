/** What a person sees and can do on a page, read from its HTML: headings, text, forms with labelled fields and buttons. */
export interface HtmlPage {
  readonly title: string;
  readonly headings: readonly string[];
  /** All visible text, spaces collapsed. */
  readonly text: string;
  readonly forms: readonly HtmlForm[];
}

export interface HtmlForm {
  /** As written; resolve it against the page's URL. */
  readonly action: string;
  readonly method: 'GET' | 'POST';
  readonly fields: readonly HtmlField[];
  readonly buttons: readonly HtmlButton[];
}

export interface HtmlField {
  readonly name: string;
  readonly type: string;
  readonly value: string;
  readonly checked: boolean;
  /** Text of the field's label; empty where it has none (a hidden field). */
  readonly label: string;
}

export interface HtmlButton {
  readonly text: string;
  /** Sent with the form when this button is pressed. */
  readonly name?: string;
  readonly value: string;
}

const formPattern = /<form\b([^>]*)>([\s\S]*?)<\/form>/gi;

export function readPage(html: string): HtmlPage {
  const visible = html.replace(/<!--[\s\S]*?-->|<(script|style|head|template)\b[\s\S]*?<\/\1>/gi, ' ');
  return {
    title: textOf(/<title\b[^>]*>([\s\S]*?)<\/title>/i.exec(html)?.[1] ?? ''),
    headings: [...visible.matchAll(/<h[1-6]\b[^>]*>([\s\S]*?)<\/h[1-6]>/gi)].map(([, text = '']) =>
      textOf(text),
    ),
    text: textOf(visible),
    forms: [...visible.matchAll(formPattern)].map(([, attributes = '', content = '']) =>
      readForm(attributesOf(attributes), content),
    ),
  };
}

/** The form that has a button of this text. */
export function formWithButton(page: HtmlPage, text: string): HtmlForm | undefined {
  return page.forms.find(({ buttons }) => buttons.some((button) => button.text === text));
}

/**
 * What a browser sends when a person fills the labelled fields in and presses a button: hidden fields, filled fields and
 * the button's own value.
 *
 * @throws Error naming the label or button that isn't there.
 */
export function fillIn(
  form: HtmlForm,
  byLabel: Readonly<Record<string, string>>,
  buttonText: string,
): URLSearchParams {
  const labels = form.fields.map(({ label }) => label);
  for (const label of Object.keys(byLabel)) {
    if (!labels.includes(label)) throw new Error(`no field is labelled "${label}": ${labels.join(', ')}`);
  }
  const button = form.buttons.find(({ text }) => text === buttonText);
  if (button === undefined) throw new Error(`no button says "${buttonText}"`);
  const sent = new URLSearchParams();
  for (const { name, type, value, checked, label } of form.fields) {
    const optional = type === 'checkbox' || type === 'radio';
    if (name !== '' && (!optional || checked)) sent.append(name, byLabel[label] ?? value);
  }
  if (button.name !== undefined) sent.append(button.name, button.value);
  return sent;
}

function readForm(attributes: ReadonlyMap<string, string>, content: string): HtmlForm {
  const labels = [...content.matchAll(/<label\b([^>]*)>([\s\S]*?)<\/label>/gi)].map(
    ([, own = '', inner = '']) => ({
      for: attributesOf(own).get('for'),
      inner,
      text: textOf(inner),
    }),
  );
  const fields = [...content.matchAll(/<input\b([^>]*)>/gi)].map(([tag, own = '']): HtmlField => {
    const input = attributesOf(own);
    const id = input.get('id');
    const label = labels.find((it) => (id !== undefined && it.for === id) || it.inner.includes(tag));
    return {
      name: input.get('name') ?? '',
      type: (input.get('type') ?? 'text').toLowerCase(),
      value: input.get('value') ?? '',
      checked: input.has('checked'),
      label: label?.text ?? '',
    };
  });
  return {
    action: attributes.get('action') ?? '',
    method: attributes.get('method')?.toUpperCase() === 'POST' ? 'POST' : 'GET',
    fields: fields.filter(({ type }) => type !== 'submit'),
    buttons: [...content.matchAll(/<button\b([^>]*)>([\s\S]*?)<\/button>/gi)].map(
      ([, own = '', inner = '']) => readButton(attributesOf(own), textOf(inner)),
    ),
  };
}

function readButton(attributes: ReadonlyMap<string, string>, text: string): HtmlButton {
  const name = attributes.get('name');
  return { text, ...(name === undefined ? {} : { name }), value: attributes.get('value') ?? '' };
}

function attributesOf(text: string): Map<string, string> {
  const found = text.matchAll(/([^\s"'=<>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g);
  return new Map(
    [...found].map(([, name = '', double, single, bare]) => [
      name.toLowerCase(),
      decode(double ?? single ?? bare ?? ''),
    ]),
  );
}

function textOf(html: string): string {
  return decode(html.replace(/<[^>]*>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim();
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

function decode(text: string): string {
  return text.replace(/&(?:#(\d+)|#x([0-9a-f]+)|([a-z]+));/gi, (whole, decimal, hex, name) => {
    if (decimal !== undefined) return String.fromCodePoint(Number(decimal));
    if (hex !== undefined) return String.fromCodePoint(Number.parseInt(hex, 16));
    return entities[String(name).toLowerCase()] ?? whole;
  });
}
