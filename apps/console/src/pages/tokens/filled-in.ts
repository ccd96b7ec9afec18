export interface Address {
  readonly mcpUrl: string;
  readonly token: string;
}

/** A client's instructions with address and token filled in, as `GET /clients` describes them. */
export const filledIn = (text: string, { mcpUrl, token }: Address): string =>
  text.replaceAll('<MCP_URL>', () => mcpUrl).replaceAll('<TOKEN>', () => token);
