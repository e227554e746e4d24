/** A file that is copied to `assets/` under a name with its hash; the import is its address. */
declare module '*?url' {
  const address: string;
  export default address;
}

/** The support address for developers, given to the build (`build/build.ts`). */
declare const SUPPORT_EMAIL: string;
