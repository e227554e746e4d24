/** A whole HTML file of the site. */
export interface PrerenderedPage {
  /** Below the site's root: `docs/errors/index.html`. */
  readonly file: string;
  readonly title: string;
  /** One sentence, for search engines and previews. */
  readonly description: string;
  /** The body, rendered. */
  readonly body: string;
  readonly script?: 'application' | 'documentation' | 'home';
  /** Path of an Atom feed of the page. */
  readonly feed?: string;
  /** Not to be found by search engines. */
  readonly unlisted?: boolean;
}
