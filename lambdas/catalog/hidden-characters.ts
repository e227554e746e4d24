/**
 * Finds characters that are invisible or change the direction of a text. A zero width joiner or non-joiner is allowed where a script needs
 * it (RFC 5892 appendix A, CONTEXTJ; UAX #31 section 2.3; UTS #39 section 3.1.1), and in the emoji sequences of UTS #51.
 */

/** Characters with `Canonical_Combining_Class=Virama` in Unicode 14. */
const virama = [
  String.raw`\u094d\u09cd\u0a4d\u0acd\u0b4d\u0bcd\u0c4d\u0ccd\u0d3b\u0d3c\u0d4d\u0dca\u0e3a\u0eba\u0f84`,
  String.raw`\u1039\u103a\u1714\u1715\u1734\u17d2\u1a60\u1b44\u1baa\u1bab\u1bf2\u1bf3\u2d7f\ua806\ua82c`,
  String.raw`\ua8c4\ua953\ua9c0\uaaf6\uabed\u{10a3f}\u{11046}\u{11070}\u{1107f}\u{110b9}`,
  String.raw`\u{11133}\u{11134}\u{111c0}\u{11235}\u{112ea}\u{1134d}\u{11442}\u{114c2}\u{115bf}\u{1163f}`,
  String.raw`\u{116b6}\u{1172b}\u{11839}\u{1193d}\u{1193e}\u{119e0}\u{11a34}\u{11a47}\u{11a99}\u{11c3f}`,
  String.raw`\u{11d44}\u{11d45}\u{11d97}`,
].join('');
/** Letters with `Joining_Type` left or dual, in scripts that are in use today. */
const joinsNext = [
  String.raw`\u0620\u0626\u0628\u062a-\u062e\u0633-\u063f\u0641-\u0647\u0649\u064a\u066e\u066f`,
  String.raw`\u0678-\u0687\u069a-\u06bf\u06c1\u06c2\u06cc\u06ce\u06d0\u06d1\u06fa-\u06fc\u06ff`,
  String.raw`\u0712-\u0714\u071a-\u071d\u071f-\u0727\u0729\u072b\u072d\u072e\u074e-\u0758\u075c-\u076a`,
  String.raw`\u076d-\u0770\u0772\u0775-\u0777\u077a-\u077f\u07ca-\u07ea\u0841-\u0845\u0848\u084a-\u0853`,
  String.raw`\u0855\u0860\u0862-\u0865\u0868\u0886\u0889-\u088d\u08a0-\u08a9\u08af\u08b0\u08b3-\u08b8`,
  String.raw`\u08ba-\u08c8\u1807\u1820-\u1878\u1887-\u18a8\u18aa\u{10d00}-\u{10d21}\u{10d23}`,
  String.raw`\u{1e900}-\u{1e943}`,
].join('');
/** Letters with `Joining_Type` right or dual, in the same scripts. */
const joinsPrevious = [
  String.raw`\u0620\u0622-\u063f\u0641-\u064a\u066e\u066f\u0671-\u0673\u0675-\u06d3\u06d5\u06ee\u06ef`,
  String.raw`\u06fa-\u06fc\u06ff\u0710\u0712-\u072f\u074d-\u077f\u07ca-\u07ea\u0840-\u0858\u0860`,
  String.raw`\u0862-\u0865\u0867-\u086a\u0870-\u0882\u0886\u0889-\u088e\u08a0-\u08ac\u08ae-\u08c8\u1807`,
  String.raw`\u1820-\u1878\u1887-\u18a8\u18aa\u{10d01}-\u{10d23}\u{1e900}-\u{1e943}`,
].join('');

/**
 * Invisible characters with a purpose: the non-joiner in Persian, both joiners in Sinhala and Devanagari, emoji sequences recommended for
 * general interchange, the style selector after a pictograph, and variation selectors after ideographs in Japanese names (UTS #37).
 */
const needed = new RegExp(
  [
    `[${joinsNext}]\\p{M}*\\u200c(?=\\p{M}*[${joinsPrevious}])`,
    `(?<=\\p{L}\\p{M}*[${virama}])\\u200c(?=\\p{L})`,
    `(?<=\\p{L}\\p{M}*[${virama}])\\u200d(?!\\p{M})`,
    '\\p{RGI_Emoji}|\\p{Extended_Pictographic}[\\ufe0e\\ufe0f]',
    '\\p{Unified_Ideograph}[\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'gv',
);
const joiner = /[\u200c\u200d]/;
/** Invisible characters (`Default_Ignorable_Code_Point` and the blank Braille pattern), or five stacked marks. */
const unseen = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|\p{M}{5}/u;

/** Replaces characters that a script or an emoji needs by full stops. */
const withoutNeeded = (text: string) => text.replace(needed, '.');

/** Whether a text has a zero width joiner or non-joiner where it has no effect. */
export function hasStrayJoiner(text: string): boolean {
  return joiner.test(withoutNeeded(text));
}

/** Whether a text has characters that are invisible or cover others. */
export function hasHiddenCharacter(text: string): boolean {
  return unseen.test(withoutNeeded(text));
}
