// SPDX-License-Identifier: MIT
import java.io.BufferedReader;
import java.io.InputStreamReader;

public class Stdin {
    public static void main(String[] arguments) throws Exception {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        System.out.println((char) System.in.read());
        for (String line = reader.readLine(); line != null; line = reader.readLine())
            System.out.println("<" + line + ">");
        System.out.println(System.in.read());
    }
}
