/** A page of the web as text. */
export interface WebPage {
  /** In its one form, without credentials and fragment: this is what is kept as the source. */
  readonly url: string;
  readonly title?: string;
  readonly text: string;
}

/** Public web pages. The implementation guards the network; a tool only names the page (docs/adr/0020). */
export interface PagePort {
  read(url: string): Promise<WebPage>;
}
