/** A web page as text. */
export interface WebPage {
  /** The normalised address, without credentials and fragment, which is stored as the source. */
  readonly url: string;
  readonly title?: string;
  readonly text: string;
}

/** Public web pages. The implementation guards the network; a tool only names the page (docs/adr/0020). */
export interface PagePort {
  read(url: string): Promise<WebPage>;
}
