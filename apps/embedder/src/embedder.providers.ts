import { openEmbeddingModel } from '@cairn/embedding';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { Provider } from '@nestjs/common';
import type { EmbedderConfig } from './config.js';
import { EmbedderService } from './embedder.service.js';
import { ModelHolder } from './model-holder.js';

export const CONFIG = Symbol('embedder.config');
const NATS = Symbol('embedder.nats');

const openBroker = ({ natsUrl }: EmbedderConfig): Promise<NatsConnection> => connectNats(natsUrl, 'embedder');

const openVault = async (nats: NatsConnection, config: EmbedderConfig): Promise<Vault> =>
  new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));

const modelHolder = ({ model, cacheDir }: EmbedderConfig, logger: Logger): ModelHolder =>
  new ModelHolder(() => openEmbeddingModel(model, { cacheDir, log: (line) => logger.info(line) }), logger);

/** The parts of the embedder, in dependency order. */
export const EMBEDDER_PROVIDERS: Provider[] = [
  { provide: NATS, inject: [CONFIG], useFactory: openBroker },
  { provide: Vault, inject: [NATS, CONFIG], useFactory: openVault },
  { provide: ModelHolder, inject: [CONFIG, LOGGER], useFactory: modelHolder },
  {
    provide: EmbedderService,
    inject: [NATS, Vault, ModelHolder, CONFIG, LOGGER, Metrics],
    useFactory: (
      nats: NatsConnection,
      vault: Vault,
      holder: ModelHolder,
      { mustYield }: EmbedderConfig,
      logger: Logger,
      metrics: Metrics,
    ) => new EmbedderService({ nats, vault, holder, mustYield, logger, metrics }),
  },
];
