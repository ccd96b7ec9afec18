import { openEmbeddingModel, openModelFrom, sourceOf } from '@cairn/embedding';
import { connectNats, TAKE_ALL, type NatsConnection } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { VectorModelStore } from '@cairn/op-log';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { Provider } from '@nestjs/common';
import type { EmbedderConfig } from './config.js';
import { EmbedderService } from './embedder.service.js';
import { ModelShelf } from './model-shelf.js';

export const CONFIG = Symbol('embedder.config');
const NATS = Symbol('embedder.nats');

const openBroker = ({ nats }: EmbedderConfig): Promise<NatsConnection> => connectNats(nats, 'embedder');

const openVault = async (nats: NatsConnection, config: EmbedderConfig): Promise<Vault> =>
  new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));

const modelShelf = ({ model: config, cacheDir }: EmbedderConfig, logger: Logger): ModelShelf => {
  const options = { cacheDir, log: (line: string) => logger.info(line) };
  return new ModelShelf({
    openConfigured: () => openEmbeddingModel(config, options),
    openFrom: (source) => openModelFrom(source, config, options),
    sourceOf: (model) => sourceOf(config, model),
    logger,
  });
};

/** The parts of the embedder, in dependency order. */
export const EMBEDDER_PROVIDERS: Provider[] = [
  { provide: NATS, inject: [CONFIG], useFactory: openBroker },
  { provide: Vault, inject: [NATS, CONFIG], useFactory: openVault },
  { provide: ModelShelf, inject: [CONFIG, LOGGER], useFactory: modelShelf },
  { provide: VectorModelStore, inject: [NATS], useFactory: (nats: NatsConnection) => VectorModelStore.open(nats) },
  {
    provide: EmbedderService,
    inject: [NATS, Vault, ModelShelf, VectorModelStore, CONFIG, LOGGER, Metrics, TAKE_ALL],
    useFactory: (
      nats: NatsConnection,
      vault: Vault,
      shelf: ModelShelf,
      store: VectorModelStore,
      { mustYield }: EmbedderConfig,
      logger: Logger,
      metrics: Metrics,
      takeAll: () => void,
    ) => new EmbedderService({ nats, vault, shelf, store, mustYield, logger, metrics, onReady: takeAll }),
  },
];
