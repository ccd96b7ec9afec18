import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.opensearch.Version;
import org.opensearch.common.logging.LogConfigurator;
import org.opensearch.common.settings.Settings;
import org.opensearch.env.Environment;
import org.opensearch.node.InternalSettingsPreparer;
import org.opensearch.node.Node;
import org.opensearch.plugins.PluginInfo;

/**
 * One OpenSearch node from jars on the class path, since no distribution archive can be had as an artifact.
 * Usage: OsNode HOME, with HOME/config/opensearch.yml and log4j2.properties; system properties "osnode.SETTING" win over
 * the file. It has neither the security plugin nor the bootstrap checks: loopback, development and tests only.
 */
public class OsNode extends Node {
    private static final String OVERRIDE_PREFIX = "osnode.";
    private static final long CLOSE_TIMEOUT_SECONDS = 15;

    OsNode(Environment environment, List<PluginInfo> modules) {
        super(environment, modules, true);
    }

    public static void main(String[] args) throws Exception {
        Path home = Path.of(args[0]).toAbsolutePath();
        Settings settings = Settings.builder().put("path.home", home.toString()).build();
        Environment environment =
            InternalSettingsPreparer.prepareEnvironment(settings, overrides(), home.resolve("config"), () -> "cairn-local");
        LogConfigurator.registerErrorListener();
        LogConfigurator.configure(environment);
        OsNode node = new OsNode(environment, modules());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> shutDown(node), "osnode-shutdown"));
        try {
            node.start();
        } catch (Throwable failure) {
            failure.printStackTrace();
            System.exit(1);
        }
        // The node's own threads are daemons; only a signal ends this process.
        Thread.currentThread().join();
    }

    private static Map<String, String> overrides() {
        Map<String, String> overrides = new HashMap<>();
        for (String name : System.getProperties().stringPropertyNames()) {
            if (name.startsWith(OVERRIDE_PREFIX)) {
                overrides.put(name.substring(OVERRIDE_PREFIX.length()), System.getProperty(name));
            }
        }
        return overrides;
    }

    /** HTTP and transport, the language analysers, reindex and delete-by-query: modules that a distribution would load itself. */
    private static List<PluginInfo> modules() {
        String java = Integer.toString(Runtime.version().feature());
        return Stream.of(
                "org.opensearch.transport.Netty4ModulePlugin",
                "org.opensearch.analysis.common.CommonAnalysisModulePlugin",
                "org.opensearch.index.reindex.ReindexModulePlugin")
            .map(name -> new PluginInfo(name, "on the class path", "NA", Version.CURRENT, java, name, List.of(), false))
            .toList();
    }

    private static void shutDown(OsNode node) {
        try {
            node.close();
            node.awaitClose(CLOSE_TIMEOUT_SECONDS, TimeUnit.SECONDS);
        } catch (Exception failure) {
            failure.printStackTrace();
        }
    }
}
