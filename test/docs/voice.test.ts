import { describe, expect, it } from 'vitest';
import { listTexts } from '../../bin/texts.ts';
import { repositoryRoot } from '../architecture/imports.ts';
import { forbiddenPhrases } from './forbidden-phrases.ts';

/** Folders and files whose texts are already in plain language, as `npm run texts` lists them. */
const edited =
  /^(?:[A-Z]+\.md|docs\/[^/]+\.md|docs\/decisions\/|ops\/|lambdas\/|portal-static\/|local\/(?:inbox\/|front-page|banner|options))/;
const texts = listTexts(repositoryRoot).filter(({ file }) => edited.test(file));

describe('the texts that people read', () => {
  it('are listed', () => {
    expect(texts.length).toBeGreaterThan(2_000);
  });

  it.each(forbiddenPhrases)('say “$instead” instead of $phrase', ({ phrase }) => {
    const found = texts.filter(({ text }) => phrase.test(text));
    expect(found.map(({ file, line, text }) => `${file}:${line} ${text}`)).toEqual([]);
  });
});
