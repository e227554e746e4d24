/** Recognizes narratives that a browser can show without running anything (R4, narrative.html#security). */

/** Tags with the elements and attributes that R4 allows in a narrative, and values without an active scheme. */
const allowedTag =
  /<\/?(?:div|p|br|hr|h[1-6]|ul|ol|li|dl|dt|dd|table|caption|colgroup|col|thead|tbody|tfoot|tr|th|td|a|b|i|em|strong|small|big|tt|sub|sup|span|pre|blockquote|code|samp|q|cite|abbr|img)(?:\s+(?:(?:xmlns|xml:lang|lang|class|id|name|title|alt|width|height|align|valign|border|cellpadding|cellspacing|rowspan|colspan|span|scope|abbr)="[^"<>]*"|style="[^"<>()]*"|(?:href|src)="(?:#|https?:\/\/)[^"<>]*"))*\s*\/?>/g;

/** Whether a narrative has no other tags than those that are allowed, and so no script, style or form. */
export function isInertNarrative(text: unknown): boolean {
  return typeof text === 'string' && !text.replace(allowedTag, '').includes('<');
}
