/** A file that is copied to `assets/` under a name with its hash. The import's value is the file's URL. */
declare module '*?url' {
  const address: string;
  export default address;
}

/** The support address for developers, replaced at build time (`build/build.ts`). */
declare const SUPPORT_EMAIL: string;
