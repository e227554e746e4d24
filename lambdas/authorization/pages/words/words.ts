import type { Language } from '../../../catalog/languages.ts';
import { english } from './english.ts';
import { spanish } from './spanish.ts';
import type { Strings } from './strings.ts';

/** The pages' words by language. A language without them does not compile. */
export const pageText: Readonly<Record<Language, Strings>> = { en: english, es: spanish };
