export interface Address {
  readonly mcpUrl: string;
  readonly token: string;
}

/** A client's text with address and token in their places, as `GET /clients` describes them. */
export const filledIn = (text: string, { mcpUrl, token }: Address): string =>
  text.replaceAll('<MCP_URL>', () => mcpUrl).replaceAll('<TOKEN>', () => token);
