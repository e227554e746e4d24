/** Search of the documentation in the browser, over an index that is loaded at the first search. */

import type { SearchableText } from './searchable-text.ts';
import { searchEntriesPath, stopWords } from './searchable-text.ts';

const mostResults = 12;
const shownCharacters = 160;

type Search = (query: string) => readonly SearchableText[];

let loading: Promise<Search> | undefined;

/**
 * Loads the index once.
 *
 * @throws Error where the index cannot be loaded; the next call tries again.
 */
function loadSearch(): Promise<Search> {
  loading ??= load().catch((error: unknown) => {
    loading = undefined;
    throw error;
  });
  return loading;
}

async function load(): Promise<Search> {
  const [{ default: MiniSearch }, answer] = await Promise.all([
    import('minisearch'),
    fetch(searchEntriesPath),
  ]);
  if (!answer.ok) throw new Error(`${searchEntriesPath} was answered ${answer.status}`);
  const entries = (await answer.json()) as readonly SearchableText[];
  const index = new MiniSearch<SearchableText & { readonly id: number }>({
    fields: ['title', 'page', 'text'],
    // Splits at everything but letters and digits, so that each word of `Patient/$everything`, `wrong_code` and `_lastUpdated:ge` is found.
    tokenize: (text) => text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''),
    searchOptions: {
      prefix: true,
      fuzzy: (word) => (word.length > 4 ? 0.2 : false),
      boost: { title: 4, page: 2 },
      combineWith: 'AND',
    },
  });
  index.addAll(entries.map((entry, id) => ({ ...entry, id })));
  return (query) =>
    index.search(withoutStopWords(query)).flatMap(({ id }) => {
      const entry = entries[id as number];
      return entry === undefined ? [] : [entry];
    });
}

/** The last word stays, because it may be the beginning of another. */
function withoutStopWords(query: string): string {
  const words = query.split(/\s+/);
  return words.filter((word, at) => at === words.length - 1 || !stopWords.has(word.toLowerCase())).join(' ');
}

/** Shows the search field if the page has one, and runs the query parameter `q` of the page's URL. */
export function startSearch(): void {
  const place = document.querySelector<HTMLElement>('.docs-search');
  const input = place?.querySelector('input');
  const said = place?.querySelector<HTMLElement>('.docs-search__said');
  const list = place?.querySelector<HTMLElement>('.docs-search__results');
  if (!place || !input || !said || !list) return;
  place.hidden = false;
  let asked = 0;
  const find = async () => {
    asked += 1;
    const turn = asked;
    const query = input.value.trim();
    rememberQuery(query);
    if (query === '') {
      list.replaceChildren();
      said.textContent = '';
      return;
    }
    try {
      const found = (await loadSearch())(query);
      if (turn !== asked) return;
      list.replaceChildren(...found.slice(0, mostResults).map(resultOf));
      said.textContent = countText(found.length, query);
    } catch {
      if (turn !== asked) return;
      list.replaceChildren();
      said.textContent = 'The search could not be loaded. Check your connection, then type again.';
    }
  };
  input.addEventListener('input', () => void find());
  input.addEventListener('focus', () => void loadSearch().catch(() => undefined), { once: true });
  place.addEventListener('keydown', (event) => moveAmongResults(event, input, list));
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    event.preventDefault();
    input.focus();
    input.select();
  });
  input.value = new URLSearchParams(location.search).get('q') ?? '';
  if (input.value !== '') void find();
}

/** Writes the query to the URL, so that a reload or the browser's Back button shows the same results. */
function rememberQuery(query: string): void {
  const address = new URL(location.href);
  if (query === '') address.searchParams.delete('q');
  else address.searchParams.set('q', query);
  history.replaceState(history.state, '', address);
}

function countText(count: number, query: string): string {
  if (count === 0) return `Nothing found for “${query}”. Try fewer or other words.`;
  if (count > mostResults) return `The first ${mostResults} of ${count} results`;
  return count === 1 ? '1 result' : `${count} results`;
}

function resultOf({ path, title, page, text }: SearchableText): HTMLElement {
  const item = document.createElement('li');
  const link = Object.assign(document.createElement('a'), { href: path, textContent: title });
  item.append(link);
  if (page !== title) {
    item.append(
      Object.assign(document.createElement('span'), { className: 'docs-search__page', textContent: page }),
    );
  }
  const shown =
    text.length > shownCharacters ? `${text.slice(0, text.lastIndexOf(' ', shownCharacters))} …` : text;
  item.append(Object.assign(document.createElement('p'), { textContent: shown }));
  return item;
}

/** Moves the focus by arrow keys between field and results; Escape clears the field. */
function moveAmongResults(event: KeyboardEvent, input: HTMLInputElement, list: HTMLElement): void {
  if (event.key === 'Escape' && input.value !== '') {
    input.value = '';
    input.dispatchEvent(new Event('input'));
    input.focus();
    event.preventDefault();
    return;
  }
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
  const step = steps[event.key];
  if (step === undefined) return;
  const stops: HTMLElement[] = [input, ...list.querySelectorAll<HTMLElement>('a')];
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (next === undefined) return;
  next.focus();
  event.preventDefault();
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable]');
}
