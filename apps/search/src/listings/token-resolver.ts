import { constantTimeEqual } from '@cairn/auth';
import { Principal, ResolvedToken, type QueryData } from '@cairn/contracts';
import { systemClock, type Clock } from '@cairn/kernel';
import { databaseError, viewOf } from '@cairn/persistence';
import { Tokens, type TokenRow } from '@cairn/projections';
import { In, IsNull, LessThanOrEqual, Not, type DataSource } from 'typeorm';

const Limits = ResolvedToken.omit({ principal: true });

const resolved = (row: TokenRow): ResolvedToken => ({
  principal: viewOf(Principal, { ...row, tokenId: row.id }),
  ...viewOf(Limits, row),
});

/** Resolves a token to a principal, for the gateway. Unknown, revoked, expired and wrong tokens all give null. */
export class TokenResolver {
  constructor(
    private readonly orm: DataSource,
    private readonly clock: Clock = systemClock,
  ) {}

  async resolve({ tokenId, secretHash }: QueryData<'token.resolve'>): Promise<ResolvedToken | null> {
    const row = await this.orm
      .getRepository(Tokens)
      .findOneBy({ id: tokenId })
      .catch((thrown: unknown) => {
        throw databaseError(thrown);
      });
    // Compares even if there is nothing to compare with, so both cases take the same time.
    const isRight = constantTimeEqual(row?.secretHash ?? '', secretHash);
    if (!row || !isRight || row.revokedAt || row.expiresAt.getTime() <= this.clock.now()) return null;
    return resolved(row);
  }

  /**
   * The tokens that are known to have ended. A token without a row is not among them: its table may still be filling.
   */
  async ended({ tokenIds }: QueryData<'tokens.ended'>): Promise<{ tokenIds: readonly string[] }> {
    const now = new Date(this.clock.now());
    const ended = await this.orm
      .getRepository(Tokens)
      .find({
        select: { id: true },
        where: [
          { id: In(tokenIds), revokedAt: Not(IsNull()) },
          { id: In(tokenIds), expiresAt: LessThanOrEqual(now) },
        ],
      })
      .catch((thrown: unknown) => {
        throw databaseError(thrown);
      });
    return { tokenIds: ended.map(({ id }) => id) };
  }
}
