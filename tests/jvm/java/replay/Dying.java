// SPDX-License-Identifier: MIT
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** Ends while a daemon thread comes to the fields of one new class after the other, for which the agent asks the JVM. */
class Dying extends ClassLoader {
    public static class Many {
        public volatile int counted;
        static int ak, al, am, an, ao, ap, aq, ar, as, at, au, av, aw, ax, ay, az, bk, bl, bm, bn, bo, bp, bq, br,
            bs, bt, bu, bv, bw, bx, by, bz, ck, cl, cm, cn, co, cp, cq, cr, cs, ct, cu, cv, cw, cx, cy, cz, dk, dl,
            dm, dn, dO, dp, dq, dr, ds, dt, du, dv, dw, dx, dy, dz, ek, el, em, en, eo, ep, eq, er, es, et, eu, ev,
            ew, ex, ey, ez, fk, fl, fm, fn, fo, fp, fq, fr, fs, ft, fu, fv, fw, fx, fy, fz, gk, gl, gm, gn, go, gp,
            gq, gr, gs, gt, gu, gv, gw, gx, gy, gz, hk, hl, hm, hn, ho, hp, hq, hr, hs, ht, hu, hv, hw, hx, hy, hz,
            ik, il, im, in, io, ip, iq, ir, is, it, iu, iv, iw, ix, iy, iz, jk, jl, jm, jn, jo, jp, jq, jr, js, jt,
            ju, jv, jw, jx, jy, jz;
    }

    static byte[] code;
    static volatile int classes;

    static int use() throws Exception {
        Class<?> many = new Dying().defineClass("Dying$Many", code, 0, code.length);
        VarHandle counted = MethodHandles.publicLookup().findVarHandle(many, "counted", int.class);
        return (int) counted.getAndAdd(many.getDeclaredConstructor().newInstance(), 1);
    }

    public static void main(String[] args) throws Exception {
        try (InputStream in = Dying.class.getResourceAsStream("Dying$Many.class")) {
            code = in.readAllBytes();
        }
        Thread thread = new Thread(() -> {
            try {
                for (;;)
                    classes += 1 + use();
            } catch (Exception e) {
                e.printStackTrace();
                System.exit(1);
            }
        });
        thread.setDaemon(true);
        thread.start();
        while (classes < 10)
            Thread.yield();
    }
}
