import type { Language } from '../../../catalog/languages.ts';
import { english } from './english.ts';
import { spanish } from './spanish.ts';
import type { Strings } from './strings.ts';

/** Texts of members' pages by language. */
export const pageText: Readonly<Record<Language, Strings>> = { en: english, es: spanish };
