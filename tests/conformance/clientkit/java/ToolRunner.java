import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.common.utils.Exit;
import org.slf4j.LoggerFactory;

/**
 * Runs the main methods of command line tools one after the other in one JVM.
 *
 * A command on stdin: number of strings (class name first), the strings, the tool's stdin; each as a
 * length and bytes. The answer on stdout: exit code, the tool's stdout, the tool's stderr.
 */
public final class ToolRunner {
    /** Thrown in place of ending the JVM. Some tools catch it and go on: the first one counts. */
    private static final class Ended extends Error {
        final int code;
        final byte[] out;
        final byte[] err;

        Ended(int code) {
            super("exit " + code, null, false, false);
            this.code = code;
            this.out = OUT.take();
            this.err = ERR.take();
        }
    }

    /** A stream whose destination can be changed; some tools keep the System.out they first saw. */
    private static final class Switch extends OutputStream {
        private ByteArrayOutputStream target = new ByteArrayOutputStream();

        @Override
        public synchronized void write(int b) {
            target.write(b);
        }

        @Override
        public synchronized void write(byte[] bytes, int from, int length) {
            target.write(bytes, from, length);
        }

        synchronized byte[] take() {
            byte[] taken = target.toByteArray();
            target = new ByteArrayOutputStream();
            return taken;
        }
    }

    private static final Switch OUT = new Switch();
    private static final Switch ERR = new Switch();
    private static final AtomicReference<Ended> FIRST_END = new AtomicReference<>();

    private static void end(int code) {
        Ended ended = new Ended(code);
        FIRST_END.compareAndSet(null, ended);
        throw ended;
    }

    public static void main(String[] args) throws IOException {
        DataInputStream in = new DataInputStream(System.in);
        DataOutputStream out = new DataOutputStream(System.out);
        System.setOut(new PrintStream(OUT, true, StandardCharsets.UTF_8));
        System.setErr(new PrintStream(ERR, true, StandardCharsets.UTF_8));
        Exit.setExitProcedure((code, message) -> end(code));
        Exit.setHaltProcedure((code, message) -> end(code));
        Exit.setShutdownHookAdder((name, hook) -> { });
        LoggerFactory.getLogger(ToolRunner.class);  // says on stderr that there is no logger; once is enough
        ERR.take();
        while (true) {
            String[] words;
            InputStream stdin;
            try {
                words = new String[in.readInt()];
                for (int i = 0; i < words.length; i++) {
                    words[i] = new String(in.readNBytes(in.readInt()), StandardCharsets.UTF_8);
                }
                stdin = new ByteArrayInputStream(in.readNBytes(in.readInt()));
            } catch (EOFException end) {
                Runtime.getRuntime().halt(0);
                return;
            }
            FIRST_END.set(null);
            int code = run(words, stdin);
            System.out.flush();
            System.err.flush();
            byte[][] said = {OUT.take(), ERR.take()};
            Ended ended = FIRST_END.get();
            if (ended != null) {
                code = ended.code;
                said = new byte[][] {ended.out, ended.err};
            }
            out.writeInt(code);
            for (byte[] part : said) {
                out.writeInt(part.length);
                out.write(part);
            }
            out.flush();
        }
    }

    private static int run(String[] words, InputStream stdin) {
        System.setIn(stdin);
        String[] rest = Arrays.copyOfRange(words, 1, words.length);
        try {
            Method main = Class.forName(words[0]).getMethod("main", String[].class);
            main.invoke(null, (Object) rest);
            return 0;
        } catch (InvocationTargetException wrapped) {
            wrapped.getCause().printStackTrace();
            return 1;
        } catch (ReflectiveOperationException missing) {
            missing.printStackTrace();
            return 127;
        }
    }
}
