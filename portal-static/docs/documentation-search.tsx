/**
 * Search field of the documentation. Hidden until its script runs (`entry/documentation.ts`), because it does not work without a script.
 */
export function DocumentationSearch() {
  return (
    <search class="docs-search" hidden>
      <label class="docs-search__label" for="docs-search">
        Search the documentation
      </label>
      <input
        id="docs-search"
        class="usa-input"
        type="search"
        autocomplete="off"
        spellcheck={false}
        enterkeyhint="search"
        aria-describedby="docs-search-hint"
      />
      <p id="docs-search-hint" class="docs-search__hint">
        Pages, calls, parameters and error codes. Press <kbd>/</kbd> to search from anywhere on the page.
      </p>
      <p class="docs-search__said" role="status" />
      <ol class="docs-search__results" />
    </search>
  );
}
